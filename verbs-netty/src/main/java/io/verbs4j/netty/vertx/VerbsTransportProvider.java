/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;

/**
 * Gives Vert.x a {@link VerbsTransport} if {@value VerbsTransport#PROPERTY} is {@code true}; Vert.x finds this class as
 * a service.
 */
@SuppressWarnings("exports") // a program that uses this requires io.vertx.core itself
public final class VerbsTransportProvider implements VertxServiceProvider {
    /** Called by the service loader. */
    public VerbsTransportProvider() {
        // nothing to prepare
    }

    @Override
    public void init(VertxBootstrap builder) {
        if (Boolean.getBoolean(VerbsTransport.PROPERTY) && !(builder.transport() instanceof TransportImplementation)) {
            builder.transport(new VerbsTransport().implementation());
        }
    }
}
