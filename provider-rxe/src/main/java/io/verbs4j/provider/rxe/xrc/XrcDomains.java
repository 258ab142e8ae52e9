/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The XRC domains of a port that have a file: whoever opens the same file gets the same domain. */
public final class XrcDomains {
    private static final String VERB = "open_xrcd";

    private final Map<Object, XrcDomainState> byFile = new HashMap<>();

    private final MemoryKeys keys;
    private final String device;
    private final Runnable acquire;
    private final Runnable release;

    /** For what may wait for other processes; they end when they have had nothing to do for a while. */
    private final ExecutorService threads;

    /**
     * Makes it, without domains.
     *
     * @param keys the device's keys
     * @param device its name, which processes that share a domain must agree about
     * @param acquire keeps the port in use, for other processes, until {@code release}
     * @param release the reverse
     */
    public XrcDomains(MemoryKeys keys, String device, Runnable acquire, Runnable release) {
        this.keys = keys;
        this.device = device;
        this.acquire = acquire;
        this.release = release;
        this.threads = Executors.newCachedThreadPool(body -> {
            Thread thread = new Thread(body, device + "-xrc");
            thread.setDaemon(true);
            return thread;
        });
    }

    MemoryKeys keys() {
        return keys;
    }

    Executor threads() {
        return threads;
    }

    /** Opens a domain, for a context. */
    public synchronized RxeXrcDomain open(Context context, XrcdInitAttr attr) {
        Path file = attr.file();
        if (file == null) {
            return handle(context, new XrcDomainState(this, null, null));
        }
        boolean create = (attr.oflags() & XrcdOpenFlags.CREAT) != 0;
        Object identity = identity(file, create);
        XrcDomainState state = byFile.get(identity);
        if (state == null) {
            state = join(file, identity, attr.oflags());
            byFile.put(identity, state);
        } else {
            check(file, attr.oflags(), true);
        }
        return handle(context, state);
    }

    private XrcDomainState join(Path file, Object identity, int oflags) {
        if (identity instanceof Path || !Rendezvous.isPossible()) {
            check(file, oflags, false);
            return new XrcDomainState(this, identity, null); // of this process alone
        }
        try {
            Rendezvous rendezvous = Rendezvous.join(identity, device, exists -> check(file, oflags, exists));
            return new XrcDomainState(this, identity, rendezvous);
        } catch (IOException e) {
            throw new VerbsException(
                    Errno.EIO, VERB, "the domain can't be shared with other processes: " + e.getMessage(), e);
        }
    }

    private static void check(Path file, int oflags, boolean exists) {
        boolean create = (oflags & XrcdOpenFlags.CREAT) != 0;
        if (!exists && !create) {
            throw new VerbsException(
                    Errno.ENOENT, VERB, "there is no domain of " + file + " yet; set CREAT in oflags to make it");
        }
        if (exists && create && (oflags & XrcdOpenFlags.EXCL) != 0) {
            throw new VerbsException(
                    Errno.EEXIST, VERB, "there is a domain of " + file + " already; leave out EXCL to share it");
        }
    }

    private static RxeXrcDomain handle(Context context, XrcDomainState state) {
        state.handles++;
        return new RxeXrcDomain(context, state);
    }

    /** Closes a handle; with the last one the domain is gone. */
    public synchronized void close(RxeXrcDomain domain) {
        forget(domain.state());
    }

    private void forget(XrcDomainState state) {
        if (--state.handles == 0) {
            if (state.file != null) {
                byFile.remove(state.file);
            }
            state.end();
        }
    }

    /** Keeps a domain and the port for another process that has a queue pair open; false where the domain has ended. */
    synchronized boolean retain(XrcDomainState state) {
        if (state.handles == 0) {
            return false;
        }
        state.handles++;
        acquire.run();
        return true;
    }

    /** Ends a {@link #retain}. */
    synchronized void release(XrcDomainState state) {
        forget(state);
        release.run();
    }

    /** What tells a file from all others, by whatever path it is opened: device and inode, where the system has them. */
    private static Object identity(Path file, boolean create) {
        try {
            if (create) {
                try {
                    Files.createFile(file);
                } catch (FileAlreadyExistsException e) {
                    // open(2) takes the one that is there
                }
            }
            Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            return key != null ? key : file.toRealPath();
        } catch (NoSuchFileException e) {
            throw new VerbsException(Errno.ENOENT, VERB, "there is no " + e.getMessage(), e);
        } catch (AccessDeniedException e) {
            throw new VerbsException(Errno.EACCES, VERB, "no permission for " + e.getMessage(), e);
        } catch (IOException e) {
            throw new VerbsException(Errno.EIO, VERB, String.valueOf(e.getMessage()), e);
        }
    }
}
