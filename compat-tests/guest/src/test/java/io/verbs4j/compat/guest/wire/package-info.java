/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** A program for two processes with a device each: one sends requests, the other answers, and both check every byte. */
package io.verbs4j.compat.guest.wire;
