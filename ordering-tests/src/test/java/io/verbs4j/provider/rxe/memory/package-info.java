/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Checks what threads that use and invalidate a key see of each other. */
package io.verbs4j.provider.rxe.memory;
