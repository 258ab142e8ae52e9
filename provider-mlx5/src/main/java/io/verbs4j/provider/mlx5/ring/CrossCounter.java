/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.ring;

/**
 * How far a queue has got that others wait for, or let begin: a number that goes on for ever, of which the device takes the lower bits.
 * Changed by whoever holds the one lock that all send queues of cross channel of a context have.
 */
public interface CrossCounter {
    /** What the device knows the queue by. */
    int number();

    /** How far it was waited for, or let begin. */
    int value();

    /** Goes on by so many completions or requests, of these with 0 by all that are posted; false where it can't. */
    boolean advance(int count);

    /** Goes back to what {@link #value} was: the request that has advanced it is not posted after all. */
    void back(int value);
}
