/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QueuePair;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.CmEventType;
import io.verbs4j.cm.CmId;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.PortSpace;
import io.verbs4j.compat.kit.Capability;
import io.verbs4j.compat.kit.ProviderKit;
import io.verbs4j.rdmacore.RdmaCoreProvider;
import io.verbs4j.spi.VerbsProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/**
 * The kernel's siw, iWARP, through libibverbs. Only librdmacm can connect its queue pairs. {@link KernelConnectionsIT}
 * runs it in the guest, {@code siw0} against {@code siw1}.
 */
class KernelSiwKit extends ProviderKit {
    /** The network of the addresses that {@code compat-tests/guest/net} gives the devices, in this order. */
    private static final String NETWORK = "10.7.0.";

    private final List<EventChannel> connections = new ArrayList<>();

    @Override
    protected VerbsProvider provider() {
        return new RdmaCoreProvider();
    }

    @Override
    protected int level() {
        return 4;
    }

    @Override
    protected Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.RC,
                Capability.SENDER_ADDRESS,
                Capability.SEND,
                Capability.RDMA_WRITE,
                Capability.RDMA_READ,
                Capability.INLINE,
                Capability.SRQ,
                Capability.COMPLETION_EVENTS,
                Capability.ASYNC_EVENTS,
                Capability.SEVERAL_CONTEXTS,
                Capability.REGION_KEYS,
                Capability.EXTENDED,
                Capability.SEND_OPS,
                Capability.QUERY_DEVICE_EX,
                Capability.QUERY_GID_EX,
                Capability.DATA_IN_ORDER);
    }

    @Override
    protected String deviceName() {
        return "siw0";
    }

    @Override
    protected String peerDeviceName() {
        return "siw1";
    }

    @Override
    protected Duration patience() {
        return Duration.ofSeconds(Integer.getInteger("verbs4j.test.patience", 10));
    }

    @Override
    protected Duration quiet() {
        return Duration.ofMillis(50);
    }

    // ---- connections

    @Override
    protected boolean hasConnectingModify() {
        return false;
    }

    @Override
    protected void connect(QueuePair a, QueuePair b) {
        EventChannel channel = EventChannel.create();
        connections.add(channel);
        CmId listener = channel.createId(b.context(), PortSpace.TCP);
        listener.bind(address(b.context()));
        listener.listen(1);
        CmId id = channel.createId(a.context(), PortSpace.TCP);
        id.resolveAddress(
                address(a.context()), listener.localAddress(), patience().toMillis(), TimeUnit.MILLISECONDS);
        next(channel, CmEventType.ADDR_RESOLVED);
        id.resolveRoute(patience().toMillis(), TimeUnit.MILLISECONDS);
        next(channel, CmEventType.ROUTE_RESOLVED);
        id.connect(with(a));
        next(channel, CmEventType.CONNECT_REQUEST).id().accept(with(b));
        next(channel, CmEventType.ESTABLISHED);
        next(channel, CmEventType.ESTABLISHED);
        // The device is in this state already; this informs the library.
        a.modify(new QpAttr().qpState(QpState.RTS));
        b.modify(new QpAttr().qpState(QpState.RTS));
    }

    private static ConnParam with(QueuePair qp) {
        return ConnParam.DEFAULT
                .withQpNum(qp.qpNum())
                .withSrq(qp.srq() != null)
                .withResponderResources(1)
                .withInitiatorDepth(1);
    }

    private static InetSocketAddress address(Context context) {
        String name = context.device().name();
        int number = name.charAt(name.length() - 1) - '0';
        try {
            return new InetSocketAddress(InetAddress.getByName(NETWORK + (number + 1)), 0);
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // it is always numeric
        }
    }

    private CmEvent next(EventChannel channel, int type) {
        CmEvent event = channel.getEvent(patience().toMillis(), TimeUnit.MILLISECONDS);
        assertThat(event).as(CmEventType.toString(type)).isNotNull();
        assertThat(CmEventType.toString(event.type())).as("%s", event).isEqualTo(CmEventType.toString(type));
        return event;
    }

    @AfterEach
    void disconnect() {
        connections.forEach(EventChannel::close);
    }
}
