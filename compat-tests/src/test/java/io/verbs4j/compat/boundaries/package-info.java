/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The boundaries between the modules, checked on the class files and module descriptors of this build. */
package io.verbs4j.compat.boundaries;
