/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

/**
 * The options of a sender.
 *
 * @param retrySeconds how long it tries to connect again
 * @param bytesPerSecond how fast it may be; 0 for as fast as it can
 */
record SenderOptions(int retrySeconds, long bytesPerSecond) {}
