/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A program for two processes, each on a device of its own: what one requests the other answers, and every byte is looked at. */
package io.verbs4j.compat.guest.wire;
