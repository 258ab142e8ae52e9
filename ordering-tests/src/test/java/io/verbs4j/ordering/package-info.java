/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Code that the tests of all rings share. */
package io.verbs4j.ordering;
