/* How a large candidate was made, so that it need not be kept while its test runs. */
#pragma once

#include "text/edit.h"
#include "text/testcase.h"

struct recipe {
	struct testcase *base; /* a reference; NULL: none was given */
	struct edit edit;      /* owned */
};

/* The candidate once more, a new reference; NULL when there is no recipe. */
struct testcase *recipe_follow(const struct recipe *recipe);
void recipe_release(struct recipe *recipe);
