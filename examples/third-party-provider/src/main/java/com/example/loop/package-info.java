/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A verbs4j provider that is small enough to read at one sitting: begin with LoopProvider. */
package com.example.loop;
