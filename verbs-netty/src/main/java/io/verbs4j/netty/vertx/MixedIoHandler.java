/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty.vertx;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoHandle;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.verbs4j.netty.VerbsIoHandler;
import io.verbs4j.netty.VerbsOptions;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Runs channels over RDMA and NIO channels on the same loop. The loop sleeps where completions wake it; a {@link
 * SelectorThread} waits for the NIO channels instead, and hands over those that are ready.
 */
final class MixedIoHandler implements IoHandler {
    private final ThreadAwareExecutor loop;
    private final IoHandler verbs;
    private final Set<SelectedHandle> selected = new LinkedHashSet<>();

    private MixedIoHandler(ThreadAwareExecutor loop, IoHandler verbs) {
        this.loop = loop;
        this.verbs = verbs;
    }

    static IoHandlerFactory newFactory(VerbsOptions options) {
        IoHandlerFactory factory = VerbsIoHandler.newFactory(options);
        return loop -> new MixedIoHandler(loop, factory.newHandler(loop));
    }

    @Override
    public void initialize() {
        verbs.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return verbs.run(context);
    }

    @Override
    public void wakeup() {
        verbs.wakeup();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return handle instanceof NioIoHandle nio ? select(nio) : verbs.register(handle);
    }

    private IoRegistration select(NioIoHandle handle) throws IOException {
        SelectedHandle added = new SelectedHandle(loop, handle, selected::remove);
        SelectorThread.add(added, handle.selectableChannel());
        selected.add(added);
        handle.registered();
        return added;
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return NioIoHandle.class.isAssignableFrom(handleType) || verbs.isCompatible(handleType);
    }

    @Override
    public void prepareToDestroy() {
        List.copyOf(selected).forEach(SelectedHandle::close);
        verbs.prepareToDestroy();
    }

    @Override
    public void destroy() {
        List.copyOf(selected).forEach(SelectedHandle::cancel);
        verbs.destroy();
    }
}
