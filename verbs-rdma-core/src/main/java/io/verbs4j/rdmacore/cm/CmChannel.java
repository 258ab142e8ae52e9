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
 * The one event channel of librdmacm's, for all ids of this process; it is there while there are ids. The thread that waits for descriptors takes events out
 * of it: each is copied, acknowledged at once, and then told. So an id can be destroyed at any time, which waits until its events are acknowledged, and
 * by any thread, this one too. What Java's ids wait in are channels of their own: nobody waits in C, and moving an id is nothing that C knows of.
 */
final class CmChannel {
    private static final Logger LOG = System.getLogger(CmChannel.class.getName());

    private static CmChannel shared;

    private final Map<Long, NativeEnd> ends = new ConcurrentHashMap<>();
    private final long address;
    private final FdPoller.Watch watch;

    /** Held while events are taken out. */
    private final Object taking = new Object();

    private boolean destroyed;

    /** Guarded by the class, as {@link #shared} is. */
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

    /** The channel, to be given back. */
    static CmChannel acquire() {
        synchronized (CmChannel.class) {
            if (shared == null) {
                shared = new CmChannel();
            }
            shared.users++;
            return shared;
        }
    }

    /** One more user, while events are taken out: it may be that all others have just gone. */
    void acquireAgain() {
        synchronized (CmChannel.class) {
            users++;
        }
    }

    /** Gives it back; the last one closes it. */
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

    /** Makes a {@code struct rdma_cm_id}. */
    long newId(int portSpace) {
        try (Scratch out = new Scratch(Long.BYTES)) {
            CmErrors.check("create_id", Librdmacm.rdma_create_id(address, out.address(), 0, portSpace));
            return NativeMemory.getLong(out.address());
        }
    }

    /** From now on events of an id are told. */
    void add(long id, NativeEnd end) {
        ends.put(id, end);
    }

    /** Destroys an id; nothing is told of it any more. To be called without a lock that telling needs. */
    void destroy(long id) {
        ends.remove(id); // before its address can be another's
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
                LOG.log(Logger.Level.WARNING, "librdmacm gives no event: {0}", Errno.describe(errno));
            }
            return errno == Errno.EINTR;
        }
        long event = NativeMemory.getLong(out);
        CmArrival arrival = null;
        try {
            arrival = CmArrival.read(event, ends);
        } finally {
            Librdmacm.rdma_ack_cm_event(event); // before anything else: who destroys the id waits for it
        }
        tell(arrival);
        return true;
    }

    private void tell(CmArrival arrival) {
        if (arrival.end() != null) {
            arrival.end().arrived(arrival);
        } else if (arrival.type() == CmEventType.CONNECT_REQUEST) {
            Librdmacm.rdma_destroy_id(arrival.id()); // its listener has been closed meanwhile: the peer is rejected
        }
    }
}
