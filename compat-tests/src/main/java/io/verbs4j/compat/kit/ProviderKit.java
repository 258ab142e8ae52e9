/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import io.verbs4j.QueuePair;
import io.verbs4j.spi.VerbsProvider;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The conformance kit. An author extends it, hands it the provider, and declares what the device can do:
 *
 * <pre>{@code
 * class LoopKitTest extends ProviderKit {
 *     protected VerbsProvider provider() { return new LoopProvider(); }
 *     protected int level() { return 1; }
 *     protected Set<Capability> capabilities() { return EnumSet.of(Capability.RC, Capability.RDMA_WRITE); }
 * }
 * }</pre>
 *
 * <p>Each test is one {@link Rule}, with a number that never changes. A rule about something that the device is not
 * said to have is skipped, and the reason names the capability to declare. Declarations are checked both ways (R2.12 to
 * R2.15, R2.20). A failure reports the rule, what was seen, which method of the author's to look at, and where the
 * behaviour is described.
 *
 * <p>Rules R1 talk to the provider as a library does; all others go through the library, as applications do. The
 * provider must therefore be registered where the tests run.
 *
 * <p>Later releases add rules: for all devices where the contract has always said so, and with a capability of their own
 * where they are about something new. The rules are methods of the chapters, which this class implements; an author's
 * class can't override them.
 */
@ExtendWith(RuleExtension.class)
@DisplayNameGeneration(RuleNames.class)
@TestMethodOrder(MethodOrderer.MethodName.class)
@Timeout(60)
@SuppressWarnings("exports") // the extension, the names and the chapters are the kit's own matter
public abstract class ProviderKit
        implements NegotiationRules,
                NameRules,
                ContextRules,
                DeclaredRules,
                OperationRules,
                AskedRules,
                StateRules,
                SendRules,
                RdmaRules,
                DatagramRules,
                SrqRules,
                EventRules,
                ErrorRules,
                XrcRules,
                CompletionRules,
                QueryRules,
                WindowRules,
                RequestRules,
                MaskedRules,
                KeyRules,
                RegionRules,
                DmRules,
                DomainRules,
                ChannelRules,
                BuilderRules,
                BuiltRules,
                SrdRules,
                SrdErrorRules,
                ImportRules,
                FrameRules,
                FlowRules,
                WorkQueueRules,
                TagRules,
                CounterRules,
                DmaRules {
    /** For the author's class. */
    protected ProviderKit() {}

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
     * What the device can do. Most devices have {@link Capability#RC}, {@link Capability#SEND}, {@link
     * Capability#SEVERAL_CONTEXTS} and {@link Capability#REGION_KEYS}, and with {@link Capability#UD} also {@link
     * Capability#SENDER_ADDRESS}. A capability that is forgotten here does not go unnoticed: rules fail that expect the
     * device to refuse it.
     *
     * @return the capabilities, the same at each call
     */
    protected abstract Set<Capability> capabilities();

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
     * The port of {@link #peerDeviceName()} that sends the frames. They must reach {@link #portNum()}: if the device
     * does not loop its own frames back, name another port of the same segment.
     *
     * @return {@link #portNum()}, unless overridden
     */
    protected int framePort() {
        return portNum();
    }

    /**
     * Further classes of the provider's that are subclasses of the header's: exceptions, attributes of its own verbs.
     * Those of handles and devices the kit sees by itself.
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

    // ---- in what a device may differ from most

    /**
     * Whether regions can be opened to the writes of peers, {@link io.verbs4j.AccessFlags#REMOTE_WRITE}. A device may
     * let peers write where it, or its driver's library, can't do so itself.
     *
     * @return whether {@link Capability#RDMA_WRITE} is declared, unless overridden
     */
    protected boolean hasRemoteWriteRights() {
        return capabilities().contains(Capability.RDMA_WRITE);
    }

    /**
     * Whether queue pairs have their numbers from creation on, as {@code ibv_create_qp} has it. Where not, they have
     * one from state INIT on, and tell 0 before.
     *
     * @return true, unless overridden
     */
    protected boolean hasNumbersAtCreation() {
        return true;
    }

    /**
     * Whether modify connects queue pairs, by the peer's number and address. Where not, as by iWARP, whose devices move
     * queue pairs themselves once a connection manager has found the peer, {@link #connect(QueuePair, QueuePair)} does;
     * rules about what modify is told of a peer are left out.
     *
     * @return true, unless overridden
     */
    protected boolean hasConnectingModify() {
        return true;
    }

    /**
     * Connects two queue pairs in state INIT, and returns when both are in state RTS; asked for where {@link
     * #hasConnectingModify()} says false.
     *
     * @param a the one side's
     * @param b the other side's
     */
    protected void connect(QueuePair a, QueuePair b) {
        throw new UnsupportedOperationException(
                "hasConnectingModify() says false: override connect(QueuePair, QueuePair), which connects them");
    }

    /**
     * Whether the completion of a request tells that the other side refused it, and why. Where not, its status is
     * {@link io.verbs4j.WcStatus#GENERAL_ERR}, as of all that the device has no status for; rules that are about
     * reasons of regions are for devices with {@link Capability#REGION_KEYS}, and want them all the same.
     *
     * @return true, unless overridden
     */
    protected boolean hasRemoteReasons() {
        return true;
    }

    /**
     * Whether queue pairs are put into state ERR when a completion queue of theirs overruns. Where not, they stay as
     * they are, and the event and the poll tell.
     *
     * @return true, unless overridden
     */
    protected boolean hasOverrunErrors() {
        return true;
    }
}
