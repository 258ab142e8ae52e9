/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * An event of the device.
 *
 * @param cookie the cookie that was passed with the subscription
 * @param data the entry of the event queue: 64 bytes, of which byte 1 is the {@link DevxEventType}; null if the channel
 *     omits it ({@link DevxEventChannelFlags#OMIT_DATA})
 */
public record DevxEvent(long cookie, Mailbox data) {
    /**
     * Returns the type of the event.
     *
     * @return a {@link DevxEventType} value, or -1 if the channel omits it
     */
    public int type() {
        return data == null ? -1 : data.getInt(8, 8);
    }
}
