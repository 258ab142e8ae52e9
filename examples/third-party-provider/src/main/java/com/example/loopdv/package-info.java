/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What programs that know the loopback device use of it: exported, and all that is. */
package com.example.loopdv;
