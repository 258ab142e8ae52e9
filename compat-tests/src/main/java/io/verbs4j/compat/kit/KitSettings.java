/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.List;

/** What authors override. See {@link ProviderKit}. */
abstract class KitSettings {
    /** For {@link ProviderKit}. */
    KitSettings() {}

    /**
     * The provider, as {@link java.util.ServiceLoader} would make it.
     *
     * @return a new instance at each call
     */
    protected abstract VerbsProvider provider();

    /**
     * The level that the provider was written for. A literal here too: so a provider whose level moves along with the
     * header is found out.
     *
     * @return the level, from 1
     */
    protected abstract int level();

    /**
     * The device to test.
     *
     * @return its name; null, as it comes, for the first one
     */
    protected String deviceName() {
        return null;
    }

    /**
     * The device of the other side.
     *
     * @return its name; as it comes, that of the device to test
     */
    protected String peerDeviceName() {
        return deviceName();
    }

    /**
     * The port to use; it must be active. Rules of their own look at the others.
     *
     * @return the port, from 1
     */
    protected int portNum() {
        return 1;
    }

    /**
     * The GID to use.
     *
     * @return its index in the port's table
     */
    protected int gidIndex() {
        return 0;
    }

    /**
     * The GID to use on another port: rules that look at all ports ask for each.
     *
     * @param port the port, from 1
     * @return its index in that port's table; {@link #gidIndex()} unless overridden
     */
    protected int gidIndex(int port) {
        return gidIndex();
    }

    /**
     * Further classes of the provider's that are subclasses of the header's: exceptions, attributes of its own verbs. Those of
     * handles and devices the kit sees by itself.
     *
     * @return the classes; none, unless overridden
     */
    protected List<Class<?>> ownTypes() {
        return List.of();
    }

    /**
     * How long a completion or an event may take.
     *
     * @return the time after which the kit gives up
     */
    protected Duration patience() {
        return Duration.ofSeconds(10);
    }

    /**
     * How long the kit looks on to see that nothing happens.
     *
     * @return the time; longer than the device needs to do what it must not do
     */
    protected Duration quiet() {
        return Duration.ofMillis(30);
    }

    /**
     * Whether the device has reliable connections; most rules need them.
     *
     * @return true, unless overridden
     */
    protected boolean hasRc() {
        return true;
    }

    /**
     * Whether the device has unreliable connections.
     *
     * @return false, unless overridden
     */
    protected boolean hasUc() {
        return false;
    }

    /**
     * Whether the device has datagrams.
     *
     * @return false, unless overridden
     */
    protected boolean hasUd() {
        return false;
    }

    /**
     * Whether the device has SEND, and receives for it.
     *
     * @return true, unless overridden
     */
    protected boolean hasSend() {
        return true;
    }

    /** Whether there is anything that takes a receive. */
    final boolean hasReceives() {
        return hasSend() || hasImmediate();
    }

    /**
     * Whether the device has RDMA write.
     *
     * @return false, unless overridden
     */
    protected boolean hasRdmaWrite() {
        return false;
    }

    /**
     * Whether the device has RDMA read.
     *
     * @return false, unless overridden
     */
    protected boolean hasRdmaRead() {
        return false;
    }

    /**
     * Whether the device has atomic operations.
     *
     * @return false, unless overridden
     */
    protected boolean hasAtomics() {
        return false;
    }

    /**
     * Whether the device has immediate data.
     *
     * @return false, unless overridden
     */
    protected boolean hasImmediate() {
        return false;
    }

    /**
     * Whether the device has inline data.
     *
     * @return false, unless overridden
     */
    protected boolean hasInline() {
        return false;
    }

    /**
     * Whether the device has shared receive queues.
     *
     * @return false, unless overridden
     */
    protected boolean hasSrq() {
        return false;
    }

    /**
     * Whether the device has multicast.
     *
     * @return false, unless overridden
     */
    protected boolean hasMulticast() {
        return false;
    }

    /**
     * Whether the device has memory windows of type 1.
     *
     * @return false, unless overridden
     */
    protected boolean hasMemoryWindows() {
        return false;
    }

    /**
     * Whether the device has completion queues that can be resized.
     *
     * @return false, unless overridden
     */
    protected boolean hasResizeCq() {
        return false;
    }

    /**
     * Whether the device has completion channels.
     *
     * @return false, unless overridden
     */
    protected boolean hasCompletionEvents() {
        return false;
    }

    /**
     * Whether the device has asynchronous events about queue pairs and queues.
     *
     * @return false, unless overridden
     */
    protected boolean hasAsyncEvents() {
        return false;
    }

    /**
     * Whether the device has receivers that answer that they are not ready: a send then waits and is tried again.
     *
     * @return false, unless overridden
     */
    protected boolean hasRnr() {
        return false;
    }

    /**
     * Whether the device has a table of extended verbs: the provider is an {@link ExtendedProvider}.
     *
     * @return false, unless overridden
     */
    protected boolean hasExtendedVerbs() {
        return false;
    }

    /**
     * Whether the device has XRC, through its table.
     *
     * @return false, unless overridden
     */
    protected boolean hasXrc() {
        return false;
    }

    /**
     * Whether the device knows, through its table, {@link io.verbs4j.QpInitAttrEx#sendOpsFlags(long)}.
     *
     * @return false, unless overridden
     */
    protected boolean hasSendOps() {
        return false;
    }

    /**
     * Whether the device has, through its table, extended completion queues, which are read one completion at a time.
     *
     * @return false, unless overridden
     */
    protected boolean hasExtendedCq() {
        return false;
    }

    /**
     * Whether the device has, through its table, time stamps of completions, on extended queues.
     *
     * @return false, unless overridden
     */
    protected boolean hasCompletionTimestamps() {
        return false;
    }

    /**
     * Whether the device has, through its table, a clock that can be read.
     *
     * @return false, unless overridden
     */
    protected boolean hasQueryValues() {
        return false;
    }

    /**
     * Whether the device has, through its table, query_device_ex.
     *
     * @return false, unless overridden
     */
    protected boolean hasQueryDeviceEx() {
        return false;
    }

    /**
     * Whether the device has, through its table, query_gid_ex and query_gid_table.
     *
     * @return false, unless overridden
     */
    protected boolean hasQueryGidEx() {
        return false;
    }

    /**
     * Whether the device has, through its table, query_qp_data_in_order.
     *
     * @return false, unless overridden
     */
    protected boolean hasDataInOrder() {
        return false;
    }

    /**
     * Whether the device has, through its table, moderation of completion events.
     *
     * @return false, unless overridden
     */
    protected boolean hasModifyCq() {
        return false;
    }

    /**
     * Whether the device has, through its table, limits of the rate of sending.
     *
     * @return false, unless overridden
     */
    protected boolean hasRateLimit() {
        return false;
    }
}
