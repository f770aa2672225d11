/* libgit2 can log in to servers with Kerberos, whose library is not to be had for static programs.
 * This program talks to no server, so each of these says that it failed (GSS_S_FAILURE), and none
 * is ever called. A library that has them comes first.
 */
enum { FAILURE = 13 << 16 };

#define ABSENT(name)                              \
	unsigned name(void);                      \
	__attribute__((weak)) unsigned name(void) \
	{                                         \
		return FAILURE;                   \
	}

ABSENT(gss_delete_sec_context)
ABSENT(gss_display_status)
ABSENT(gss_import_name)
ABSENT(gss_indicate_mechs)
ABSENT(gss_init_sec_context)
ABSENT(gss_release_buffer)
ABSENT(gss_release_name)
ABSENT(gss_release_oid_set)

extern const void *const GSS_C_NT_HOSTBASED_SERVICE;
__attribute__((weak)) const void *const GSS_C_NT_HOSTBASED_SERVICE = 0;
