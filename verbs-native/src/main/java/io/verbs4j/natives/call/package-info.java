/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Calls into C and from C: functions given by address, exports of loaded libraries, and functions of the C library. */
package io.verbs4j.natives.call;
