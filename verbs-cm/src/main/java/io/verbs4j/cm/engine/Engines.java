/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.cm.engine;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.cm.spi.CmEndpoint;
import io.verbs4j.cm.spi.CmProvider;
import io.verbs4j.cm.spi.CmSink;
import io.verbs4j.cm.spi.GsiPort;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/** Selects the connection manager of a device, and runs those in Java: one for each port in a process. */
public final class Engines {
    /** The installed providers, loaded on first use. */
    private static final class Providers {
        static final List<CmProvider> ALL = load();

        private static List<CmProvider> load() {
            List<CmProvider> all = new ArrayList<>();
            Iterator<CmProvider> found = ServiceLoader.load(CmProvider.class).iterator();
            boolean more = true;
            while (more) {
                try {
                    more = found.hasNext();
                    if (more) {
                        all.add(found.next());
                    }
                } catch (ServiceConfigurationError | LinkageError e) {
                    System.getLogger(Engines.class.getName())
                            .log(System.Logger.Level.WARNING, "a connection manager can't be used", e);
                }
            }
            return List.copyOf(all);
        }
    }

    /** The providers of this project, which have had a connection manager since release 1.2, and their packages. */
    private static final Set<String> HAVE_ONE = Set.of("rxe", "mlx5", "rdma-core");

    private static final List<String> OWN_PACKAGES = List.of("io.verbs4j.provider.", "io.verbs4j.rdmacore");

    private static final String UNKNOWN = "?";

    private static final IdentityHashMap<GsiPort, EngineThread> RUNNING = new IdentityHashMap<>();

    private Engines() {}

    /**
     * Makes an end on an open device.
     *
     * @param context the open device
     * @param portSpace a {@link PortSpace}
     * @param sink receives the end's events
     * @return a new end
     * @throws VerbsException {@link Errno#EOPNOTSUPP} if the device has no connection manager or does not support that
     *     port space
     */
    public static CmEndpoint create(Context context, int portSpace, CmSink sink) {
        for (CmProvider provider : Providers.ALL) {
            if (provider.serves(context)) {
                return provider.create(context, portSpace, sink);
            }
        }
        GsiPort port = vendor(context, GsiPort.class);
        // a negative answer takes long, and is known already for a port whose engine runs
        CmProvider own = port != null && isRunning(port) ? null : vendor(context, CmProvider.class);
        if (own != null) {
            return own.create(context, portSpace, sink);
        }
        String verb = "create_id";
        if (port == null) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    withoutManager(context.device(), context.queryContext().providerName()));
        }
        if (portSpace != PortSpace.TCP && portSpace != PortSpace.UDP) {
            throw new VerbsException(
                    Errno.EOPNOTSUPP,
                    verb,
                    "only port spaces TCP and UDP are supported, not " + PortSpace.toString(portSpace));
        }
        Limits limits = Limits.of(context.queryDevice());
        synchronized (RUNNING) {
            Engine engine = running(port);
            synchronized (engine) {
                return new Endpoint(engine, context, limits, portSpace, sink);
            }
        }
    }

    /**
     * Explains why a device has no connection manager. The class of the device does not identify its provider, because
     * providers share classes of rdma-core.
     *
     * @param provider name of its provider; "?" if the library does not know it
     */
    static String withoutManager(Device device, String provider) {
        boolean named = !provider.equals(UNKNOWN);
        Package classes = device.getClass().getPackage();
        String version = classes.getImplementationVersion();
        String which = named ? provider : classes.getName() + (version == null ? "" : " " + version);
        boolean own = OWN_PACKAGES.stream().anyMatch(classes.getName()::startsWith);
        return "no connection manager for the device " + device.name() + ": its provider, " + which
                + (own && (!named || HAVE_ONE.contains(provider))
                        ? ", is too old for verbs-cm; use release 1.2 or newer, preferably the release of verbs-cm"
                        : ", does not have one");
    }

    /** Returns the device's extension of a type, or null if it does not know the type. */
    private static <T> T vendor(Context context, Class<T> type) {
        try {
            return context.vendor(type);
        } catch (VerbsException e) {
            if (e.errno() == Errno.EOPNOTSUPP) {
                return null;
            }
            throw e;
        }
    }

    private static boolean isRunning(GsiPort port) {
        synchronized (RUNNING) {
            return RUNNING.containsKey(port);
        }
    }

    private static Engine running(GsiPort port) {
        EngineThread running = RUNNING.get(port);
        if (running == null) {
            running = new EngineThread(port);
            running.start();
            RUNNING.put(port, running);
            ExitHook.register();
        }
        return running.engine();
    }

    /** Stops an engine if it is still idle; returns whether it did. */
    static boolean retire(EngineThread running) {
        synchronized (RUNNING) {
            if (!running.engine().isIdle()) {
                return false;
            }
            RUNNING.remove(running.port(), running);
            running.port().close();
            if (RUNNING.isEmpty()) {
                ExitHook.unregister();
            }
            return true;
        }
    }

    /** Returns the running engines. */
    static List<Engine> all() {
        synchronized (RUNNING) {
            return RUNNING.values().stream().map(EngineThread::engine).toList();
        }
    }

    /** Returns the number of running engines. */
    static int count() {
        synchronized (RUNNING) {
            return RUNNING.size();
        }
    }
}
