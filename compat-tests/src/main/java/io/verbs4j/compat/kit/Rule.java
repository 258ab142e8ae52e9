/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/** A rule that providers keep, and the test of it. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
public @interface Rule {
    /**
     * The rule's number.
     *
     * @return for instance {@code R3.01}; never used for another rule
     */
    String id();

    /**
     * The rule.
     *
     * @return a sentence
     */
    String says();

    /**
     * What to look at where it is broken.
     *
     * @return methods of the header that the provider implements, for instance {@code QueuePair.postSend}
     */
    String[] look();

    /**
     * Where the behaviour is described.
     *
     * @return a manual page, with its section
     */
    String man();

    /**
     * What a device must be able to do for the rule to matter. A rule without this is required of all.
     *
     * @return the capabilities
     */
    Capability[] needs() default {};

    /**
     * The level of provider that the rule binds: one that was written for an earlier level, as {@link ProviderKit}'s
     * {@code level()} states, was not told of it and is not judged by it.
     *
     * @return the level, from 1
     */
    int since() default 1;

    /**
     * Of what a device must have one for the rule to matter.
     *
     * @return the capabilities; none where there is no such choice
     */
    Capability[] oneOf() default {};
}
