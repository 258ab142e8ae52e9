/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.link.Link;
import io.verbs4j.provider.rxe.memory.IntTable;
import io.verbs4j.provider.rxe.qp.RxeQp;
import java.util.List;

/**
 * The port's services to packets. Anything needed for each packet or post is fetched once, by a constructor, and used
 * directly afterwards.
 */
public interface PacketHost {
    /** {@return the addresses of the port, by GID index} */
    List<Gid> gids();

    /** {@return the addresses of the port that messages reach without packets: all or none} */
    List<Gid> localGids();

    /** {@return the queue pairs of the port by number; must not be modified} */
    IntTable<RxeQp> queuePairs();

    /** Returns the queue pairs attached to a multicast group; must not be modified. */
    RxeQp[] attached(Gid group);

    /** Returns the link of a local address; opens it if necessary, and throws if it can't be opened. */
    Link link(Gid local);

    /** {@return the receiver of packets to queue pair 1, or null if there is none} */
    ManagementPackets management();
}
