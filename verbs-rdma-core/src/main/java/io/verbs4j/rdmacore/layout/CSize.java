/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The size of a type from a release on. The constant itself is the newest size. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@Repeatable(CSize.History.class)
public @interface CSize {
    /**
     * The first release of rdma-core with this size.
     *
     * @return a major number; 12, the first release, for older sizes
     */
    int since() default 12;

    /**
     * The size.
     *
     * @return in bytes
     */
    int size();

    /** Several sizes, oldest first. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.FIELD)
    @interface History {
        /**
         * The sizes.
         *
         * @return oldest first
         */
        CSize[] value();
    }
}
