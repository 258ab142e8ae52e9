/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What must not be able to bring the embedded device down: strangers on the network, tried with an ordinary UDP socket; memory
 * that goes away; a heap that is full; other users of the machine. What {@code SECURITY.md} promises is shown here.
 */
package io.verbs4j.provider.rxe.attack;
