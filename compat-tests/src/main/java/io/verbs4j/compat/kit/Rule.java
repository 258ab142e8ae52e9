/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/** A rule that providers keep, and its test. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Test
public @interface Rule {
    /**
     * Returns the rule's number.
     *
     * @return for instance {@code R3.01}; a number is never reused
     */
    String id();

    /**
     * Returns the text of the rule.
     *
     * @return a sentence
     */
    String says();

    /**
     * Returns what to look at if the rule is broken.
     *
     * @return methods of the header that the provider implements, for instance {@code QueuePair.postSend}
     */
    String[] look();

    /**
     * Returns where the behaviour is described.
     *
     * @return a manual page, with its section
     */
    String man();

    /**
     * Returns the capabilities that a device must have for the rule to apply. A rule without any applies to all
     * devices.
     *
     * @return the capabilities
     */
    Capability[] needs() default {};

    /**
     * Returns the lowest level of provider that the rule binds. Providers that were written for an earlier level, as
     * {@link ProviderKit}'s {@code level()} states, are not tested, because their contract did not include the rule.
     *
     * @return the level, from 1
     */
    int since() default 1;

    /**
     * Returns capabilities of which a device must have at least one for the rule to apply.
     *
     * @return the capabilities; none if there is no such choice
     */
    Capability[] oneOf() default {};
}
