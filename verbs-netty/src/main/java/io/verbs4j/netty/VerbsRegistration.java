/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import java.util.Set;

/** A channel's registration with its loop. Belongs to the loop's thread. */
final class VerbsRegistration implements IoRegistration {
    private final VerbsIoHandler loop;
    private final Set<VerbsHandle> handles;
    private final VerbsHandle handle;
    private boolean valid = true;

    /**
     * Registers a handle.
     *
     * @param handles the handles of the loop, to which this one is added
     */
    VerbsRegistration(VerbsIoHandler loop, Set<VerbsHandle> handles, VerbsHandle handle) {
        this.loop = loop;
        this.handles = handles;
        this.handle = handle;
        handles.add(handle);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Netty declares it
    public <T> T attachment() {
        return (T) loop;
    }

    @Override
    public long submit(IoOps ops) {
        throw new UnsupportedOperationException("channels of verbs-netty submit no operations");
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public boolean cancel() {
        boolean was = valid;
        valid = false;
        handles.remove(handle);
        return was;
    }
}
