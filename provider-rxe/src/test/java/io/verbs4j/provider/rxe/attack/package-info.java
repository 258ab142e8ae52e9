/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Attacks that must not bring the embedded device down: strangers on the network, simulated with an ordinary UDP
 * socket; memory that goes away; a full heap; other users of the machine. These tests show what {@code SECURITY.md}
 * promises.
 */
package io.verbs4j.provider.rxe.attack;
