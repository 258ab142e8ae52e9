/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Clocks of the device, short pauses, and the rate at which a queue pair may send. */
package io.verbs4j.provider.rxe.clock;
