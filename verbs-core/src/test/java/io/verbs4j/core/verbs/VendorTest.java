/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static io.verbs4j.core.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.verify;

import io.verbs4j.CompletionChannel;
import io.verbs4j.Errno;
import org.junit.jupiter.api.Test;

/** What the library passes through to the provider and only looks at the form of. */
class VendorTest {
    /** What a provider's jar might export. */
    interface Dv {}

    private final Rig rig = new Rig();

    @Test
    void programGetsProvidersObject() {
        Dv own = new Dv() {};
        doReturn(own).when(rig.ops).vendor(Dv.class);

        assertThat(rig.context.vendor(Dv.class)).isSameAs(own);
    }

    @Test
    void unknownVendorTypeIsNamed() {
        assertFails(Errno.EOPNOTSUPP, () -> rig.context.vendor(Dv.class), "provider 'fake'", Dv.class.getName());
        assertFails(Errno.EINVAL, () -> rig.context.vendor(null), "type is null");
    }

    @Test
    void answerOfAnotherTypeIsProvidersDefect() {
        doReturn("a string").when(rig.ops).vendor(any());

        assertFails(Errno.EIO, () -> rig.context.vendor(Dv.class), "java.lang.String", Dv.class.getName());
    }

    @Test
    void closedContextHasNoVendorVerbs() {
        rig.context.close();

        assertFails(Errno.EINVAL, () -> rig.context.vendor(Dv.class), "closed");
    }

    @Test
    void descriptorsComeFromProvider() {
        CompletionChannel channel = rig.channel();
        doReturn(7).when(rig.ops).asyncEventDescriptor();
        doReturn(9).when(rig.ops).compChannelDescriptor(channel);

        assertThat(rig.context.asyncEventDescriptor()).isEqualTo(7);
        assertThat(channel.descriptor()).isEqualTo(9);
        channel.close();
        assertFails(Errno.EINVAL, channel::descriptor, "closed");
        verify(rig.ops).destroyCompChannel(channel);
    }
}
