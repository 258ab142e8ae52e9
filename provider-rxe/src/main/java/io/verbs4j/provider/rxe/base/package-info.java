/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What any package of the provider may need: {@link io.verbs4j.provider.rxe.base.IoErrno} and {@link
 * io.verbs4j.provider.rxe.base.LateException} turn exceptions into error numbers, {@link
 * io.verbs4j.provider.rxe.base.Mishaps} reports what a thread survives, {@link io.verbs4j.provider.rxe.base.Interrupts}
 * says what an interrupt does to a wait, and {@link io.verbs4j.provider.rxe.base.OwnProcess} identifies a process.
 *
 * <p>Nothing here knows of verbs objects, and nothing uses another package of the provider.
 */
package io.verbs4j.provider.rxe.base;
