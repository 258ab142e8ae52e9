/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Ping-pong: one side sends a message, the other answers, and every byte is verified. */
package io.verbs4j.tools.pingpong;
