/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Helpers for every package of the provider: {@link io.verbs4j.provider.rxe.base.IoErrno} and {@link
 * io.verbs4j.provider.rxe.base.LateException} turn exceptions into error numbers, {@link
 * io.verbs4j.provider.rxe.base.Mishaps} reports failures that a thread survives, {@link
 * io.verbs4j.provider.rxe.base.Interrupts} defines how an interrupt affects a wait, and {@link
 * io.verbs4j.provider.rxe.base.OwnProcess} identifies a process.
 *
 * <p>This package knows nothing of verbs objects and uses no other package of the provider.
 */
package io.verbs4j.provider.rxe.base;
