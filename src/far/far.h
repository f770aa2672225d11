/* An oracle of workers elsewhere (whittle-workers(7)), beside one that runs tests here.
 *
 * Each question goes to whoever is free. An answer that is lost, because the worker ended, fell
 * silent, says what makes no sense or cannot run the test, is got from somebody else: losing a
 * worker costs only what it was asked. Which verdict a candidate gets does not depend on who is
 * asked, as long as all judge alike; so each worker is first asked what is known already
 * (far_calibrate), and one that says otherwise is not used.
 *
 * Programs beside the test, and runs whose output somebody wants, stay here.
 */
#pragma once

#include "far/far_options.h"
#include "run/oracle.h"

/* Starts the workers. Owns LOCAL from now on, also when it fails; the strings in OPTIONS outlive
 * the oracle. NULL and err when a file is missing or no process can be started. Free with
 * oracle_free. */
struct oracle *far_new(struct oracle *local, const struct far_options *options, struct err *err);

/* The verdict on TC, asked with LIMITS, is known: it is what each worker has to answer before it is
 * used. VERDICT_UNKNOWN: that will be asked about; workers are asked meanwhile, and judged by the
 * first answer. VERDICT_TIMEOUT: it is not asked about any more. Until something is known, tests
 * run here, or on one worker when they do not. */
void far_calibrate(struct oracle *far, struct testcase *tc, enum verdict verdict,
                   const struct oracle_limits *limits);

/* Nothing is sure: workers are used as they are. */
void far_trust(struct oracle *far);
