/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.call.Librdmacm;
import io.verbs4j.rdmacore.cm.layout.EventChannelLayout;
import io.verbs4j.rdmacore.event.FdPoller;
import java.lang.System.Logger;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The one event channel of librdmacm, for all ids of this process; it exists as long as there are ids. The thread that
 * polls descriptors reads its events: it copies each, acknowledges it at once and then delivers it. An id can therefore
 * be destroyed at any time and by any thread, including this one, although destroying waits until the id's events are
 * acknowledged. The ids in Java wait in Java channels: no thread blocks in C, and C does not notice when an id moves to
 * another channel.
 */
final class CmChannel {
    private static final Logger LOG = System.getLogger(CmChannel.class.getName());

    private static CmChannel shared;

    private final Map<Long, NativeEnd> ends = new ConcurrentHashMap<>();
    private final long address;
    private final FdPoller.Watch watch;

    /** Held while events are read. */
    private final Object taking = new Object();

    private boolean destroyed;

    /** Guarded by the class, like {@link #shared}. */
    private int users;

    private CmChannel() {
        String verb = "create_event_channel";
        address = Librdmacm.rdma_create_event_channel();
        if (address == 0) {
            throw CmErrors.failed(verb, Libc.errno());
        }
        FdPoller.Watch made = null;
        try {
            int fd = NativeMemory.getInt(address + EventChannelLayout.FD);
            int flags = Libc.fcntl(fd, Libc.F_GETFL, 0);
            if (flags < 0 || Libc.fcntl(fd, Libc.F_SETFL, flags | Libc.O_NONBLOCK) < 0) {
                throw new VerbsException(Libc.errno(), verb, "the descriptor can't be made non-blocking");
            }
            made = FdPoller.shared().watch(fd, this::takeAll);
        } finally {
            if (made == null) {
                Librdmacm.rdma_destroy_event_channel(address);
            }
        }
        watch = made;
        watch.arm();
    }

    /** Returns the channel; {@link #release} it after use. */
    static CmChannel acquire() {
        synchronized (CmChannel.class) {
            if (shared == null) {
                shared = new CmChannel();
            }
            shared.users++;
            return shared;
        }
    }

    /** Adds a user while events are read; all others may just have left. */
    void acquireAgain() {
        synchronized (CmChannel.class) {
            users++;
        }
    }

    /** Releases the channel; the last user closes it. */
    void release() {
        synchronized (CmChannel.class) {
            users--;
            if (users > 0) {
                return;
            }
            if (shared == this) {
                shared = null;
            }
        }
        watch.close();
        synchronized (taking) {
            if (!destroyed) {
                destroyed = true;
                Librdmacm.rdma_destroy_event_channel(address);
            }
        }
    }

    /** Creates a {@code struct rdma_cm_id}. */
    long newId(int portSpace) {
        try (Scratch out = new Scratch(Long.BYTES)) {
            CmErrors.check("create_id", Librdmacm.rdma_create_id(address, out.address(), 0, portSpace));
            return NativeMemory.getLong(out.address());
        }
    }

    /** Delivers the events of an id from now on. */
    void add(long id, NativeEnd end) {
        ends.put(id, end);
    }

    /** Destroys an id; its events are no longer delivered. Call it without locks that the delivery needs. */
    void destroy(long id) {
        ends.remove(id); // before its address can be reused
        Librdmacm.rdma_destroy_id(id);
    }

    private void takeAll() {
        synchronized (taking) {
            boolean more = !destroyed;
            try (Scratch out = new Scratch(Long.BYTES)) {
                while (more) {
                    more = takeOne(out.address()) && !destroyed;
                }
            } finally {
                if (!destroyed) {
                    watch.arm();
                }
            }
        }
    }

    private boolean takeOne(long out) {
        if (Librdmacm.rdma_get_cm_event(address, out) != 0) {
            int errno = Libc.errno();
            if (errno != Errno.EAGAIN && errno != Errno.EINTR) {
                LOG.log(Logger.Level.WARNING, "librdmacm returned no event: {0}", Errno.describe(errno));
            }
            return errno == Errno.EINTR;
        }
        long event = NativeMemory.getLong(out);
        CmArrival arrival = null;
        try {
            arrival = CmArrival.read(event, ends);
        } finally {
            Librdmacm.rdma_ack_cm_event(event); // first of all: destroying the id waits for it
        }
        tell(arrival);
        return true;
    }

    private void tell(CmArrival arrival) {
        if (arrival.end() != null) {
            arrival.end().arrived(arrival);
        } else if (arrival.type() == CmEventType.CONNECT_REQUEST) {
            Librdmacm.rdma_destroy_id(arrival.id()); // its listener has been closed: rejects the peer
        }
    }
}
