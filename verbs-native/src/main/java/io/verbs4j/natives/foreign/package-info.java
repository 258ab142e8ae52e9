/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The JDK's foreign function and memory API, for the other packages of this module. */
package io.verbs4j.natives.foreign;
