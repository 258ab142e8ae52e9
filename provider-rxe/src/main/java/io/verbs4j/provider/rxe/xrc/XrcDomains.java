/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.provider.rxe.base.IoErrno;
import io.verbs4j.provider.rxe.base.LateException;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;

/** The XRC domains of a port. All who open the same file get the same domain; a domain without a file is not shared. */
public final class XrcDomains {
    private static final String VERB = "open_xrcd";

    /** Not a monitor, because it is held while waiting for other processes. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<Object, XrcDomainState> byFile = new HashMap<>();

    private final MemoryKeys keys;
    private final String device;
    private final Host host;

    /** See {@link #threads()}; null until needed. */
    private ExecutorService threads;

    /** The owner of the domains. */
    public interface Host {
        /** Marks the owner as used by another process. */
        void acquire();

        /** Undoes {@link #acquire}. */
        void release();
    }

    /**
     * Creates an instance without domains.
     *
     * @param keys the device's keys
     * @param device its name, which must be the same in all processes that share a domain
     * @param host kept in use while other processes use a domain
     */
    public XrcDomains(MemoryKeys keys, String device, Host host) {
        this.keys = keys;
        this.device = device;
        this.host = host;
    }

    MemoryKeys keys() {
        return keys;
    }

    /** Returns threads for work that may wait for other processes. They end after being idle for a while. */
    synchronized Executor threads() {
        if (threads == null) {
            threads = Executors.newCachedThreadPool(body -> {
                Thread thread = new Thread(body, device + "-xrc");
                thread.setDaemon(true);
                return thread;
            });
        }
        return threads;
    }

    /** Opens a domain for a context. */
    public XrcDomain open(Context context, XrcdInitAttr attr) {
        lock.lock();
        try {
            return find(context, attr);
        } finally {
            lock.unlock();
        }
    }

    private XrcDomain find(Context context, XrcdInitAttr attr) {
        Path file = attr.file();
        if (file == null) {
            return handle(context, new XrcDomainState(this, null, null));
        }
        DomainFile opened = openFile(file, (attr.oflags() & XrcdOpenFlags.CREAT) != 0);
        boolean kept = false;
        try {
            XrcDomainState state = byFile.get(opened.key());
            if (state == null) {
                state = join(file, opened, attr.oflags());
                byFile.put(opened.key(), state);
                kept = true;
            } else {
                check(file, attr.oflags(), true);
            }
            return handle(context, state);
        } finally {
            if (!kept) {
                opened.close();
            }
        }
    }

    private XrcDomainState join(Path file, DomainFile opened, int oflags) {
        if (!opened.isShareable() || !Rendezvous.isPossible()) {
            check(file, oflags, false);
            return new XrcDomainState(this, opened, null); // of this process alone
        }
        Rendezvous rendezvous;
        try {
            rendezvous = Rendezvous.join(opened.key(), device, exists -> check(file, oflags, exists));
        } catch (IOException e) {
            throw LateException.failed(VERB, "the domain can't be shared with other processes", e);
        }
        boolean complete = false;
        try {
            XrcDomainState state = new XrcDomainState(this, opened, rendezvous);
            state.listen();
            complete = true;
            return state;
        } finally {
            if (!complete) {
                rendezvous.close();
            }
        }
    }

    private static void check(Path file, int oflags, boolean exists) {
        boolean create = (oflags & XrcdOpenFlags.CREAT) != 0;
        if (!exists && !create) {
            throw new VerbsException(
                    Errno.ENOENT, VERB, "no domain exists for " + file + "; set CREAT in oflags to create it");
        }
        if (exists && create && (oflags & XrcdOpenFlags.EXCL) != 0) {
            throw new VerbsException(
                    Errno.EEXIST, VERB, "a domain for " + file + " already exists; leave out EXCL to share it");
        }
    }

    private static XrcDomain handle(Context context, XrcDomainState state) {
        state.handles++;
        return new RxeXrcDomain(context, state);
    }

    /** Closes a handle; the last one ends the domain. */
    public void close(XrcDomain domain) {
        lock.lock();
        try {
            forget(((RxeXrcDomain) domain).domain);
        } finally {
            lock.unlock();
        }
    }

    private void forget(XrcDomainState state) {
        if (--state.handles == 0) {
            if (state.file != null) {
                byFile.remove(state.file.key());
            }
            state.end();
        }
    }

    /**
     * Keeps a domain and the port in use for another process that has a queue pair open; returns false if the domain
     * has ended.
     */
    boolean retain(XrcDomainState state) {
        lock.lock();
        try {
            if (state.handles == 0) {
                return false;
            }
            state.handles++;
            host.acquire();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Undoes a {@link #retain}. */
    void release(XrcDomainState state) {
        lock.lock();
        try {
            forget(state);
            host.release();
        } finally {
            lock.unlock();
        }
    }

    private static DomainFile openFile(Path file, boolean create) {
        try {
            return DomainFile.open(file, create);
        } catch (NoSuchFileException e) {
            throw new VerbsException(Errno.ENOENT, VERB, "no such file: " + e.getMessage(), e);
        } catch (AccessDeniedException e) {
            throw new VerbsException(Errno.EACCES, VERB, "no permission to read and write " + e.getMessage(), e);
        } catch (IOException e) {
            throw new VerbsException(IoErrno.of(e), VERB, "the domain's file can't be opened: " + e.getMessage(), e);
        }
    }
}
