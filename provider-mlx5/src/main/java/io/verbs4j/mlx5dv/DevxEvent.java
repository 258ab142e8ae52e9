/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * An event of the device.
 *
 * @param cookie what the subscription was given to know its events by
 * @param data the entry of the event queue: 64 bytes, of which byte 1 is the {@link DevxEventType}; null where the channel leaves
 *     it out ({@link DevxEventChannelFlags#OMIT_DATA})
 */
public record DevxEvent(long cookie, Mailbox data) {
    /**
     * What has happened.
     *
     * @return a {@link DevxEventType} value, or -1 where the channel leaves it out
     */
    public int type() {
        return data == null ? -1 : data.getInt(8, 8);
    }
}
