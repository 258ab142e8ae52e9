/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

/**
 * The options of a sender.
 *
 * @param retrySeconds how long it tries to reconnect
 * @param bytesPerSecond highest rate; 0 for no limit
 */
record SenderOptions(int retrySeconds, long bytesPerSecond) {}
