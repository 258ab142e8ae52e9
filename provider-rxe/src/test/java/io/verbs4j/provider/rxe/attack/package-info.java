/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What must not be able to bring the embedded device down: memory that goes away, a heap that is full. */
package io.verbs4j.provider.rxe.attack;
