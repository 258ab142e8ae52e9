/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A network that loses, repeats, delays, reorders, cuts and damages packets, and RC that does not let it be noticed. */
package io.verbs4j.provider.rxe.faults;
