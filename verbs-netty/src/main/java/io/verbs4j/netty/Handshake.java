/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static io.verbs4j.cm.CmEventType.ADDR_ERROR;
import static io.verbs4j.cm.CmEventType.ADDR_RESOLVED;
import static io.verbs4j.cm.CmEventType.CONNECT_ERROR;
import static io.verbs4j.cm.CmEventType.DEVICE_REMOVAL;
import static io.verbs4j.cm.CmEventType.DISCONNECTED;
import static io.verbs4j.cm.CmEventType.ESTABLISHED;
import static io.verbs4j.cm.CmEventType.REJECTED;
import static io.verbs4j.cm.CmEventType.ROUTE_ERROR;
import static io.verbs4j.cm.CmEventType.ROUTE_RESOLVED;
import static io.verbs4j.cm.CmEventType.UNREACHABLE;

import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The RDMA-CM exchange of a connection. Belongs to the loop's thread. */
final class Handshake implements CmTarget {
    private static final long RESOLVE_SECONDS = 60;
    private static final long KEEP_ALIVE_SECONDS = 60;

    private final Link link;
    private final VerbsIoHandler loop;
    private final CmId id;
    private final LinkSettings settings;
    private final Traffic traffic;

    Handshake(Link link, CmId id, LinkSettings settings, Traffic traffic) {
        this.link = link;
        this.loop = link.loop();
        this.id = id;
        this.settings = settings;
        this.traffic = traffic;
    }

    Link link() {
        return link;
    }

    /** Starts connecting. */
    void connect(InetSocketAddress local, InetSocketAddress remote) {
        id.userContext(this);
        id.resolveAddress(local, remote, RESOLVE_SECONDS, TimeUnit.SECONDS);
    }

    /** Accepts an id that a listener has received. */
    void accept(Wire.Greeting peer) throws IOException {
        id.userContext(this);
        id.migrate(loop.events());
        LinkQueues queues = makeQueues();
        queues.outbox().open(peer, settings.sendBytes());
        link.accepted();
        try {
            id.accept(queues.param());
        } catch (VerbsException e) {
            link.finish();
            throw e;
        }
    }

    private LinkQueues makeQueues() throws IOException {
        LinkQueues made = LinkQueues.make(link, id, settings, traffic);
        link.queues(made);
        return made;
    }

    @Override
    public void event(VerbsIoHandler from, CmEvent event) {
        if (from != loop) {
            loop.execute(() -> event(loop, event)); // a late event from the listener's loop, taken during the migration
            return;
        }
        if (link.isClosed()) {
            return; // taken before
        }
        try {
            switch (event.type()) {
                case ADDR_RESOLVED -> id.resolveRoute(RESOLVE_SECONDS, TimeUnit.SECONDS);
                case ROUTE_RESOLVED -> id.connect(makeQueues().param());
                case ESTABLISHED -> established(event);
                case REJECTED -> {
                    if (link.isOpen()) {
                        link.disconnected(); // the peer closed it before it learned that this side is connected
                    } else {
                        link.refuse(Failures.of(event));
                    }
                }
                case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE -> link.refuse(Failures.of(event));
                case DISCONNECTED, DEVICE_REMOVAL -> link.disconnected();
                default -> {
                    // irrelevant to streams
                }
            }
        } catch (VerbsException e) {
            link.refuse(Failures.of(e));
        } catch (IOException e) {
            link.refuse(e);
        }
    }

    private void established(CmEvent event) throws IOException {
        if (link.isConnecting()) {
            link.outbox().open(Wire.decode(event.conn().privateData()), settings.sendBytes());
            link.accepted();
        }
        if (settings.keepAlive()) {
            id.keepAlive(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
        }
        link.open();
    }
}
