/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.VerbsException;
import java.util.Arrays;

/** Links within one JVM, connected by queues instead of sockets: for tests of packets that need no network. */
public final class PipeFabric {
    /** Replaced, never changed, so that finding a link allocates nothing. */
    private volatile PipeLink[] links = {};

    /** Creates a fabric without links. */
    public PipeFabric() {}

    /**
     * Opens a link.
     *
     * @param local its address; any
     * @return the link
     * @throws VerbsException if the fabric already has a link with this address
     */
    public synchronized Link open(Gid local) {
        if (find(local.subnetPrefix(), local.interfaceId()) != null) {
            throw SocketErrors.failed("open_device", "opening a pipe", Errno.EADDRINUSE, local);
        }
        PipeLink link = new PipeLink(this, local);
        PipeLink[] more = Arrays.copyOf(links, links.length + 1);
        more[links.length] = link;
        links = more;
        return link;
    }

    /** Returns the link with an address, or null. */
    PipeLink find(long gidHigh, long gidLow) {
        for (PipeLink link : links) {
            if (link.isAt(gidHigh, gidLow)) {
                return link;
            }
        }
        return null;
    }

    /** {@return all links; not to be modified} */
    PipeLink[] links() {
        return links;
    }

    synchronized void remove(PipeLink link) {
        links = Arrays.stream(links).filter(each -> each != link).toArray(PipeLink[]::new);
    }
}
