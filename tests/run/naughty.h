/* What naughty does to directories, each a mode of its own. */
#pragma once

int naughty_litter(void);
int naughty_uproot(void);
int naughty_displace(void);
int naughty_raze_slot(void);
int naughty_raze_pool(void);
int naughty_displace_slot(void);
int naughty_close_off(void);
