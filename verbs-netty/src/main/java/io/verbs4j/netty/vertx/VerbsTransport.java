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
 * <p>All servers and clients of such an instance, both HTTP and {@code NetServer}, use RDMA. Datagrams, name resolution
 * and Unix-domain sockets use NIO. If no RDMA device can be used, Vert.x falls back to NIO, as for any unavailable
 * transport; a warning is logged, and {@code Vertx.unavailableNativeTransportCause()} returns the reason.
 *
 * <p>If the system property {@value #PROPERTY} is {@code true}, every instance in a process whose jars are on the class
 * path uses this transport, without any code.
 *
 * <p>Immutable.
 */
@SuppressWarnings("exports") // a program that uses this requires io.vertx.core itself
public final class VerbsTransport implements Transport {
    /** System property that enables this transport for every Vert.x instance in the process. */
    public static final String PROPERTY = "io.verbs4j.netty.vertx";

    private static final InternalLogger LOGGER = InternalLoggerFactory.getInstance(VerbsTransport.class);

    private final VerbsOptions options;

    /** Makes a transport with default options. */
    public VerbsTransport() {
        this(VerbsOptions.DEFAULT);
    }

    /**
     * Makes a transport.
     *
     * @param options options of its event loops
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
