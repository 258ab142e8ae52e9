/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.qp.RxeQueuePair;
import java.util.List;

/**
 * The port, as far as packets need it. Whatever is needed for each packet or post is asked for once, by a constructor,
 * and used directly from then on.
 */
public interface PacketHost {
    /** The addresses of the port, by GID index. */
    List<Gid> gids();

    /** Those of its addresses that messages reach without packets: all or none. */
    List<Gid> localGids();

    /** The queue pairs of the port by number; not to be changed. */
    IntTable<RxeQueuePair> queuePairs();

    /** The queue pairs attached to a multicast group; not to be changed. */
    RxeQueuePair[] attached(Gid group);

    /** The link of a local address; opens it if necessary, and throws if it cannot be opened. */
    Link link(Gid local);

    /** The receiver of packets to queue pair 1; null if there is none. */
    ManagementPackets management();
}
