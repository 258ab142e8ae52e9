/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsOptions;
import io.vertx.core.transport.Transport;

/**
 * Connects Vert.x over RDMA.
 *
 * <pre>{@code
 * Vertx vertx = Vertx.builder().withTransport(new VerbsTransport()).build();
 * }</pre>
 *
 * <p>All servers and clients of such an instance, of HTTP and of {@code NetServer}, use RDMA. Datagrams, name
 * resolution and Unix-domain sockets are those of NIO. Where no RDMA device can be used, Vert.x falls back to NIO, as
 * with each transport that is not available; a warning is logged then, and {@code
 * Vertx.unavailableNativeTransportCause()} says why. The system property {@value #PROPERTY}, set to {@code true}, gives
 * this transport to each instance of a process whose jars are on the class path, without a line of code.
 *
 * <p>Immutable.
 */
@SuppressWarnings("exports") // a program that uses this requires io.vertx.core by itself
public final class VerbsTransport implements Transport {
    /** The system property that gives this transport to each instance of Vert.x in the process. */
    public static final String PROPERTY = "io.verbs4j.netty.vertx";

    private static final InternalLogger LOGGER = InternalLoggerFactory.getInstance(VerbsTransport.class);

    private final VerbsOptions options;

    /** A transport with all options at their defaults. */
    public VerbsTransport() {
        this(VerbsOptions.DEFAULT);
    }

    /**
     * A transport.
     *
     * @param options how its event loops work
     */
    public VerbsTransport(VerbsOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "verbs";
    }

    @Override
    public boolean available() {
        Throwable cause = unavailabilityCause();
        if (cause != null) {
            LOGGER.warn("Vert.x falls back to NIO, over TCP: {}", cause.getMessage());
        }
        return cause == null;
    }

    @Override
    public Throwable unavailabilityCause() {
        return VerbsIoHandler.unavailabilityCause(options);
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return new TransportImplementation(this, options);
    }
}
