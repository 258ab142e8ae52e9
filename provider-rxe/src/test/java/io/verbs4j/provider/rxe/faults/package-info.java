/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A network that loses, duplicates, delays, reorders, truncates and corrupts packets, which RC must hide. */
package io.verbs4j.provider.rxe.faults;
