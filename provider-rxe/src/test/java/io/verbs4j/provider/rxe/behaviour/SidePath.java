/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

/** How messages travel between two sides. */
enum SidePath {
    /** Between two contexts of one device: without packets. */
    LOCAL,

    /** Between two devices: packets through sockets. */
    WIRE,

    /** Between two devices of a process that may read the peer's memory: by one copy. */
    ONE_COPY
}
