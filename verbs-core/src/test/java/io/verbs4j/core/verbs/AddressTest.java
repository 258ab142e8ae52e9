/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import io.verbs4j.AhAttr;
import io.verbs4j.Errno;
import io.verbs4j.Gid;
import io.verbs4j.GlobalRoute;
import io.verbs4j.ProtectionDomain;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Address vectors: those of address handles; QpModifyTest has those of queue pairs. */
class AddressTest {
    private final Rig rig = new Rig();
    private final ProtectionDomain pd = rig.pd();

    static AhAttr global() {
        return new AhAttr()
                .portNum(1)
                .isGlobal(true)
                .grh(new GlobalRoute().dgid(Gid.of(1, 2)).hopLimit(64));
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                wrong(a -> a.portNum(0), "attr.portNum is 0"),
                wrong(a -> a.portNum(256), "attr.portNum is 256"),
                wrong(a -> a.dlid(-1), "attr.dlid is -1"),
                wrong(a -> a.dlid(0x10000), "attr.dlid is 65536"),
                wrong(a -> a.sl(-1), "attr.sl is -1"),
                wrong(a -> a.sl(16), "attr.sl is 16"),
                wrong(a -> a.srcPathBits(-1), "attr.srcPathBits is -1"),
                wrong(a -> a.srcPathBits(128), "attr.srcPathBits is 128"),
                wrong(a -> a.staticRate(-1), "attr.staticRate is -1"),
                wrong(a -> a.staticRate(256), "attr.staticRate is 256"),
                wrong(a -> a.grh(null), "attr.grh is null"),
                wrong(a -> a.grh().dgid(null), "attr.grh.dgid is null"),
                wrong(a -> a.grh().flowLabel(-1), "attr.grh.flowLabel is -1"),
                wrong(a -> a.grh().flowLabel(1 << 20), "attr.grh.flowLabel is 1048576"),
                wrong(a -> a.grh().sgidIndex(-1), "attr.grh.sgidIndex is -1"),
                wrong(a -> a.grh().sgidIndex(256), "attr.grh.sgidIndex is 256"),
                wrong(a -> a.grh().hopLimit(-1), "attr.grh.hopLimit is -1"),
                wrong(a -> a.grh().hopLimit(256), "attr.grh.hopLimit is 256"),
                wrong(a -> a.grh().trafficClass(-1), "attr.grh.trafficClass is -1"),
                wrong(a -> a.grh().trafficClass(256), "attr.grh.trafficClass is 256"));
    }

    private static Arguments wrong(Consumer<AhAttr> change, String message) {
        return Arguments.of(change, message);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("wrong")
    void valuesThatDoNotFitAreRefused(Consumer<AhAttr> change, String message) {
        AhAttr attr = global();
        change.accept(attr);
        clearInvocations(rig.ops);

        assertFails(Errno.EINVAL, () -> pd.createAh(attr), "create_ah", message);

        verifyNoInteractions(rig.ops);
    }

    @Test
    void nullIsRefused() {
        assertFails(Errno.EINVAL, () -> pd.createAh(null), "attr is null");
    }

    @Test
    void largestValueThatFitsIsAccepted() {
        AhAttr attr = global().portNum(255).dlid(0xffff).sl(15).srcPathBits(127).staticRate(255);
        attr.grh().flowLabel(0xfffff).sgidIndex(255).hopLimit(255).trafficClass(255);

        pd.createAh(attr);

        verify(rig.ops).createAh(pd, attr);
    }

    @Test
    void routeIsIgnoredUnlessGlobal() {
        AhAttr attr = new AhAttr().portNum(1).grh(null);

        pd.createAh(attr);

        verify(rig.ops).createAh(pd, attr);
    }
}
