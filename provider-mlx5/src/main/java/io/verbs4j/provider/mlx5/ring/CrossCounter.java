/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

/**
 * A counter of a queue's progress, which others wait for or enable. It increases indefinitely; the device uses its
 * lower bits. Changed under the one lock that all cross-channel send queues of a context share.
 */
public interface CrossCounter {
    /** Returns the device's number of the queue. */
    int number();

    /** Returns the count up to which the queue was waited for or enabled. */
    int value();

    /**
     * Advances by a number of completions or requests, where 0 stands for all posted requests; returns false if that is
     * not possible.
     */
    boolean advance(int count);

    /** Goes back to an earlier {@link #value}, because the request that advanced it is not posted after all. */
    void back(int value);
}
