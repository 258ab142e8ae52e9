/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Clocks of the device and the rate limit of a queue pair. */
package io.verbs4j.provider.rxe.clock;
