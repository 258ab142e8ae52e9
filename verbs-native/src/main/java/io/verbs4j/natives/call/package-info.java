/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Calls of C, and by C: functions at an address, of a library that is loaded, or of the C library. */
package io.verbs4j.natives.call;
