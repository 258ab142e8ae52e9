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
 * The conformance kit. An author extends it, returns the provider from it, and declares what the device can do:
 *
 * <pre>{@code
 * class LoopKitTest extends ProviderKit {
 *     protected VerbsProvider provider() { return new LoopProvider(); }
 *     protected int level() { return 1; }
 *     protected Set<Capability> capabilities() { return EnumSet.of(Capability.RC, Capability.RDMA_WRITE); }
 * }
 * }</pre>
 *
 * <p>Each test is one {@link Rule}, with a number that never changes. A rule is skipped if it is about a capability
 * that is not declared; the reason names the capability to declare. Declarations are checked both ways (R2.12 to R2.15,
 * R2.20). A failure reports the rule, what was observed, which method of the author's to look at, and where the
 * behaviour is described.
 *
 * <p>Rules R1 call the provider as a library does; all others go through the library, as applications do. The provider
 * must therefore be registered where the tests run.
 *
 * <p>Later releases add rules: for all devices if the contract always required the behaviour, and with a new capability
 * if the behaviour is new. The rules are methods of the interfaces that this class implements, one per chapter; an
 * author's class can't override them.
 */
@ExtendWith(RuleExtension.class)
@DisplayNameGeneration(RuleNames.class)
@TestMethodOrder(MethodOrderer.MethodName.class)
@Timeout(60)
@SuppressWarnings("exports") // the extension, the names and the chapters are internal to the kit
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
    /** Creates the kit; for the author's class. */
    protected ProviderKit() {}

    /**
     * Creates the provider, as {@link java.util.ServiceLoader} would.
     *
     * @return a new instance at each call
     */
    protected abstract VerbsProvider provider();

    /**
     * Returns the level that the provider was written for. Write a literal here as in the provider: the kit then
     * detects a provider whose level changes along with the header.
     *
     * @return the level, from 1
     */
    protected abstract int level();

    /**
     * Returns what the device can do.
     *
     * <p>Most devices have {@link Capability#RC}, {@link Capability#SEND}, {@link Capability#SEVERAL_CONTEXTS} and
     * {@link Capability#REGION_KEYS}, and with {@link Capability#UD} also {@link Capability#SENDER_ADDRESS}. A
     * forgotten capability is detected: some rules expect the device to refuse what is not declared.
     *
     * @return the capabilities, the same at each call
     */
    protected abstract Set<Capability> capabilities();

    /**
     * Returns the name of the device to test. The default is the first device.
     *
     * @return the name, or null for the first device
     */
    protected String deviceName() {
        return null;
    }

    /**
     * Returns the name of the other side's device. The default is the device to test.
     *
     * @return the name, or null for the first device
     */
    protected String peerDeviceName() {
        return deviceName();
    }

    /**
     * Returns the port to use, which must be active. Some rules check the other ports too.
     *
     * @return the port, from 1
     */
    protected int portNum() {
        return 1;
    }

    /**
     * Returns the GID to use.
     *
     * @return its index in the port's table
     */
    protected int gidIndex() {
        return 0;
    }

    /**
     * Returns the GID to use on a port; rules that check all ports call this for each of them.
     *
     * @param port the port, from 1
     * @return its index in that port's table; {@link #gidIndex()} unless overridden
     */
    protected int gidIndex(int port) {
        return gidIndex();
    }

    /**
     * Returns the port of {@link #peerDeviceName()} that sends Ethernet frames. They must reach {@link #portNum()}: if
     * the device does not loop its own frames back, name another port of the same segment.
     *
     * @return {@link #portNum()} unless overridden
     */
    protected int framePort() {
        return portNum();
    }

    /**
     * Returns further classes of the provider that extend classes of the header: exceptions, attributes of its own
     * verbs. The kit finds the classes of handles and devices itself.
     *
     * @return the classes; none unless overridden
     */
    protected List<Class<?>> ownTypes() {
        return List.of();
    }

    /**
     * Returns how long a completion or an event may take.
     *
     * @return the time after which the kit gives up
     */
    protected Duration patience() {
        return Duration.ofSeconds(10);
    }

    /**
     * Returns how long the kit waits to see that nothing happens.
     *
     * @return the time; it must be longer than the device would need for the forbidden action
     */
    protected Duration quiet() {
        return Duration.ofMillis(30);
    }

    // ---- differences from most devices

    /**
     * Returns whether regions can be registered with {@link io.verbs4j.AccessFlags#REMOTE_WRITE}. A device may support
     * this right even if it, or its driver's library, can't post RDMA writes itself.
     *
     * @return whether {@link Capability#RDMA_WRITE} is declared, unless overridden
     */
    protected boolean hasRemoteWriteRights() {
        return capabilities().contains(Capability.RDMA_WRITE);
    }

    /**
     * Returns whether queue pairs have their numbers from creation on, as {@code ibv_create_qp} requires. If false,
     * they have a number from state INIT on, and report 0 before.
     *
     * @return true unless overridden
     */
    protected boolean hasNumbersAtCreation() {
        return true;
    }

    /**
     * Returns whether {@code modify} connects queue pairs, by the peer's number and address. If false, {@link
     * #connect(QueuePair, QueuePair)} connects them, and rules about a peer's attributes in {@code modify} are left
     * out. iWARP needs this: its devices move queue pairs themselves once a connection manager has found the peer.
     *
     * @return true unless overridden
     */
    protected boolean hasConnectingModify() {
        return true;
    }

    /**
     * Connects two queue pairs in state INIT, and returns when both are in state RTS. Called only if {@link
     * #hasConnectingModify()} returns false.
     *
     * @param a queue pair of one side
     * @param b queue pair of the other side
     */
    protected void connect(QueuePair a, QueuePair b) {
        throw new UnsupportedOperationException(
                "hasConnectingModify() is false: override connect(QueuePair, QueuePair) to connect the queue pairs");
    }

    /**
     * Returns whether completions report that the other side refused a request, and why. If false, their status is
     * {@link io.verbs4j.WcStatus#GENERAL_ERR}, as for every failure for which the device has no status. Rules about the
     * access checks of regions are for devices with {@link Capability#REGION_KEYS}, and require the precise status in
     * any case.
     *
     * @return true unless overridden
     */
    protected boolean hasRemoteReasons() {
        return true;
    }

    /**
     * Returns whether the overrun of a completion queue moves its queue pairs to state ERR. If false, they keep their
     * state, and only the event and the poll report the overrun.
     *
     * @return true unless overridden
     */
    protected boolean hasOverrunErrors() {
        return true;
    }
}
